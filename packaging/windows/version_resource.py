"""The version resource of a program for Windows, which its properties show."""

FORM = """VSVersionInfo(
  ffi=FixedFileInfo(filevers={numbers}, prodvers={numbers}, mask=0x3F, OS=0x40004, fileType=0x1),
  kids=[
    StringFileInfo([StringTable("040904B0", {strings})]),
    VarFileInfo([VarStruct("Translation", [0x409, 1200])]),
  ],
)
"""


def version_resource(program: str, facts: dict[str, str]) -> str:
    """The resource of a program in PyInstaller's form. `facts` are those of packaging/facts.py."""
    version = facts["version"]
    texts = {
        "CompanyName": facts["publisher"],
        "FileDescription": facts["title"],  # what Windows calls the program when it asks which one to open a file with
        "FileVersion": version,
        "InternalName": program,
        "LegalCopyright": f"{facts['publisher']}, MIT licence",
        "OriginalFilename": f"{program}.exe",
        "ProductName": facts["title"],
        "ProductVersion": version,
    }
    strings = ", ".join(f"StringStruct({name!r}, {text!r})" for name, text in texts.items())
    return FORM.format(numbers=(*map(int, facts["numbers"].split(".")), 0), strings=f"[{strings}]")
