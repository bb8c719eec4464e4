/** `degraded` is for a person to see: the server still answers rightly, so no traffic is taken away from it. */
export type CheckResult = Readonly<{ status: 'ok' | 'degraded' | 'failed' } & Record<string, unknown>>;

/** One thing that must be well before this server takes requests. It tells nothing secret: anyone may read it. */
export type HealthCheck = Readonly<{ name: string; run(): Promise<CheckResult> }>;

/** Injects the list of all checks. */
export const HEALTH_CHECKS = 'workbench:health-checks';

const MOST_MS = 2_000;

/** Runs them side by side; one that throws, or has said nothing after 2 s, has failed. */
export const runChecks = async (
  checks: readonly HealthCheck[],
  failed: (name: string, error: unknown) => void,
): Promise<Record<string, CheckResult>> =>
  Object.fromEntries(
    await Promise.all(
      checks.map(async ({ name, run }) => {
        const result = await within(MOST_MS, run()).catch((error: unknown): CheckResult => {
          failed(name, error);
          return { status: 'failed' };
        });
        return [name, result] as const;
      }),
    ),
  );

const within = <T>(ms: number, work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => (timer = setTimeout(() => reject(new Error(`No answer after ${ms} ms.`)), ms)));
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
};
