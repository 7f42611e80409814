"""Fuel and emissions, against numbers worked out by hand from the document's constants."""

import numpy as np
import pytest

from recorder_editor.analysis import Options
from recorder_editor.analysis.constants import CAR, TRUCK
from recorder_editor.analysis.steps import Columns, Setting, compute_fuel, compute_specific_power

SETTING = Setting(0.04, Options(extra=True))


def rows_of(speed: np.ndarray, acceleration: np.ndarray, kind: np.ndarray) -> Columns:
    return {"v_long_smooth": speed, "a_long_smooth": acceleration, "veh_class": kind}


def consumption(
    speed: np.ndarray, acceleration: np.ndarray, kind: np.ndarray, numbers: str = ""
) -> tuple[np.ndarray, ...]:
    """Power, fuel and CO2 by the documented numbers, or by those of the `literature`."""
    made = compute_fuel(rows_of(speed, acceleration, kind), SETTING)
    return tuple(made[f"{name}{numbers}"] for name in ("cpf_power_kw", "cpf_fuel_rate_lps", "cpf_co2_rate_gps"))


def specific_power_placeholder(speed: np.ndarray, acceleration: np.ndarray, kind: np.ndarray) -> tuple[np.ndarray, ...]:
    made = compute_specific_power(rows_of(speed, acceleration, kind), SETTING)
    return tuple(made[name] for name in ("vsp_value", "vsp_co2_rate", "vsp_nox_rate"))


def test_a_car_at_twenty_metres_a_second() -> None:
    """72 km/h, 1 m/s2 in a car of 1453 kg.

    Inertia 1453 x 1.04 x 1 = 1511.12 N; rolling 1453 x 9.80665 x 1.75 / 1000 x (0.0328 x 72 + 4.575)
    = 24.935859 x 6.9366 = 172.970 N; drag 0.5 x 1.2256 x 2.32 x 0.30 x 400 = 170.60352 N; sum 1854.694 N.
    Power 1854.694 x 20 / 920 = 40.3194 kW; fuel 4.7738e-4 + 5.363e-5 P + 1e-6 P2 = 0.00426537 L/s.
    """
    power, fuel, co2 = consumption(np.array([20.0]), np.array([1.0]), np.array([CAR]))
    assert power[0] == pytest.approx(40.3194, abs=1e-3)
    assert fuel[0] == pytest.approx(4.7738e-4 + 5.363e-5 * 40.3194 + 1e-6 * 40.3194**2, rel=1e-4)
    assert fuel[0] == pytest.approx(0.00426537, rel=1e-4)
    assert co2[0] == pytest.approx(2310 * fuel[0])


def test_a_truck_standing_burns_what_idling_takes() -> None:
    power, fuel, co2 = consumption(np.zeros(1), np.zeros(1), np.array([TRUCK]))
    assert (power[0], fuel[0]) == (0.0, 4.7738e-4)
    assert co2[0] == pytest.approx(4.7738e-4 * 2680)


def test_who_brakes_burns_no_less_than_idling() -> None:
    power, fuel, _ = consumption(np.array([20.0]), np.array([-3.0]), np.array([CAR]))
    assert power[0] < 0
    assert fuel[0] == 4.7738e-4


def test_a_truck_at_twenty_metres_a_second_by_both_sets() -> None:
    """Documented: rolling 7239 x 9.80665 x 1.75 / 1000 x 6.9366 = 861.757 N, drag 0.5 x 1.2256 x 8.9 x 0.78 x 400
    = 1701.623 N, power 2563.380 x 20 / 950 = 53.9659 kW. Literature: 7182 x 9.80665 x 1.25 / 1000 x 6.9366
    = 610.694 N, 0.5 x 1.2256 x 10 x 0.78 x 400 = 1911.936 N, 2522.630 x 20 / 940 = 53.6730 kW.
    """
    speed, steady, kind = np.array([20.0]), np.zeros(1), np.array([TRUCK])
    documented = consumption(speed, steady, kind)
    literature = consumption(speed, steady, kind, "_literature")
    assert documented[0][0] == pytest.approx(53.9659, abs=1e-3)
    assert literature[0][0] == pytest.approx(53.6730, abs=1e-3)
    assert literature[1][0] == pytest.approx(1.56e-3 + 8.10e-5 * 53.673 + 1.0e-8 * 53.673**2, rel=1e-4)
    assert literature[2][0] == pytest.approx(2070 * literature[1][0])


def test_the_power_of_a_literary_truck_ends_at_246_kilowatts() -> None:
    speed, pull, kind = np.array([25.0, 25.0]), np.array([2.0, 2.0]), np.array([TRUCK, CAR])
    power, *_ = consumption(speed, pull, kind, "_literature")
    documented, *_ = consumption(speed, pull, kind)
    assert power[0] == 246.0
    assert documented[0] > 400
    assert power[1] == documented[1]


def test_the_placeholder_divides_by_the_mass() -> None:
    """v = 20, a = 1: 20 + 0.00035 x 8000 + 2.64 + 0.000302 x 400 = 25.5608, by 1500 and by 8000."""
    value, co2, nox = specific_power_placeholder(np.array([20.0, 20.0]), np.ones(2), np.array([CAR, TRUCK]))
    np.testing.assert_allclose(value, [25.5608 / 1500, 25.5608 / 8000])
    np.testing.assert_allclose(co2, 0.7 * value + 0.5)
    np.testing.assert_allclose(nox, 0.1 * value + 0.05)


def test_the_placeholder_below_zero_is_that_of_zero() -> None:
    value, co2, nox = specific_power_placeholder(np.array([20.0]), np.array([-3.0]), np.array([CAR]))
    assert value[0] < 0
    assert (co2[0], nox[0]) == (0.5, 0.05)


def test_the_usual_specific_power_is_per_tonne() -> None:
    """20 x (1.1 + 0.132) + 0.000302 x 8000 = 27.056 kW/t."""
    made = compute_specific_power(rows_of(np.array([20.0]), np.ones(1), np.array([CAR])), SETTING)
    assert made["vsp_kw_per_t"][0] == pytest.approx(27.056)
