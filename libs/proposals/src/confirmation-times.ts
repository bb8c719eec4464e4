/** How long a person has to decide, and how long an approval may then be carried out; in milliseconds. Two expiries, so that an approval at the last second still runs. */
export class ConfirmationTimes {
  constructor(
    readonly decideMs = 24 * 3_600_000,
    readonly releaseMs = 15 * 60_000,
  ) {}
}
