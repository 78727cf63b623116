"""What a profile is worth, and what each player would get by deviating from it."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class ProfileValue:
    """What a profile is worth, and what each player would get by best responding to it.

    Parameters
    ----------
    values : float64[players]
        Expected payoffs when all play by the profile.
    best_responses : float64[players]
        Expected payoff of each player's best response to the others.
    """

    values: npt.NDArray[np.float64]
    best_responses: npt.NDArray[np.float64]

    @property
    def gains(self) -> npt.NDArray[np.float64]:
        """Deviation gain of each player."""
        return self.best_responses - self.values

    @property
    def nash_conv(self) -> float:
        """Sum of the deviation gains."""
        return float(self.gains.sum())
