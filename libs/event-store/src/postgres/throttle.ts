/** Calls `act` at once, then at most once per `ms` for as long as it is asked: the last wish is always fulfilled. */
export const throttle = (act: () => void, ms: number): (() => void) => {
  let resting = false;
  let wished = false;
  const run = () => {
    resting = true;
    wished = false;
    act();
    setTimeout(() => {
      resting = false;
      if (wished) run();
    }, ms);
  };
  return () => {
    if (resting) wished = true;
    else run();
  };
};
