# Opens the window on a recording, on Windows: the counterpart of packaging/run.
#   powershell -ExecutionPolicy Bypass -File packaging\run.ps1 [FILE]
$ErrorActionPreference = "Stop"
$root = Split-Path -Parent $PSScriptRoot
$environment = Join-Path $root ".venv"
$python = Join-Path $environment "Scripts\python.exe"
$stamp = Join-Path $environment "installed"

function Test-Recent([string] $program, [string] $option) {
    try {
        & $program $option -c "import sys; sys.exit(sys.version_info < (3, 11))" 2>$null
        return $LASTEXITCODE -eq 0
    } catch {
        return $false
    }
}

if (-not (Test-Path $python)) {
    $found = $null
    foreach ($candidate in @(@("py", "-3.13"), @("py", "-3.12"), @("py", "-3.11"), @("python", "-I"))) {
        if (Test-Recent $candidate[0] $candidate[1]) {
            $found = $candidate
            break
        }
    }
    if (-not $found) {
        Write-Host "Recorder Editor needs Python 3.11 or newer, and none was found. Install it from python.org."
        exit 1
    }
    & $found[0] $found[1] -m venv $environment
    if ($LASTEXITCODE -ne 0) { exit 1 }
}

$state = "$root " + (Get-FileHash (Join-Path $root "pyproject.toml")).Hash
if (-not (Test-Path $stamp) -or (Get-Content -Raw $stamp).Trim() -ne $state) {
    Write-Host "Installing what the program needs into $environment (once; about 100 MB)."
    & $python -m pip install --quiet --disable-pip-version-check --editable $root
    if ($LASTEXITCODE -ne 0) { exit 1 }
    Set-Content -Path $stamp -Value $state
}

$arguments = $args
if ($arguments.Count -eq 0) { $arguments = @(Join-Path $root "resources\sample\town.log") }
& $python -P -m recorder_editor open @arguments
exit $LASTEXITCODE
