import path from 'node:path';
import { eventually } from '../support/eventually.js';
import { readEventLog } from '../support/event-log.js';
import { createSite, type Site } from '../support/processes.js';
import { createRepository, type Repository } from '../support/repository.js';
import { claim, queueTask } from '../support/round-trip.js';

const CLOCK_OFF = path.join(__dirname, 'clock-off.mjs');
const LEASE_MS = 2_000;
/** What two readings of one clock may differ by on a busy machine. */
const SLACK_MS = 3_000;

// C04, F04
describe('Servers whose clocks and zones are wrong', () => {
  let site: Site;
  let repository: Repository;
  beforeEach(async () => {
    site = await createSite({ WORKBENCH_LEASE_SECONDS: String(LEASE_MS / 1_000) });
    repository = createRepository();
  });
  afterEach(async () => {
    await site.remove();
    repository.remove();
  });

  it.each([
    ['10 minutes ahead, in Tokyo', 600_000, 'Asia/Tokyo'],
    ['10 minutes behind, in St. John’s', -600_000, 'America/St_Johns'],
  ])(
    '%s, steal no lease that is renewed, and let none linger',
    async (_, ms, TZ) => {
      const began = Date.now();
      const wrong = { WORKBENCH_MAIN: CLOCK_OFF, WORKBENCH_CLOCK_OFF_MS: String(ms), TZ };
      const right = await site.start({ WORKBENCH_ROLES: 'api' });
      const [other] = await Promise.all([
        site.start({ ...wrong, WORKBENCH_ROLES: 'api' }),
        // The only one that projects and lets leases expire.
        site.start({ ...wrong, WORKBENCH_ROLES: 'worker' }),
      ]);
      const cast = site.cast(right);
      const ida = [cast.ida, cast.ida.at(other.url)] as const;

      const { taskId } = await queueTask(cast, repository);
      const granted = await claim(ida[1], taskId);
      expect(granted.status).toBe(200);
      expect(Math.abs(Date.parse(granted.body.expiresAt as string) - LEASE_MS - Date.now())).toBeLessThan(SLACK_MS);

      for (let beat = 0, start = Date.now(); beat < 9; beat++) {
        await eventually(() => Date.now() >= start + (beat * LEASE_MS) / 3);
        const renewed = await ida[beat % 2]!.post(`/api/leases/${taskId}.1/renew`, { fence: '1' });
        expect(renewed.status).toBe(200);
        expect(Math.abs(Date.parse(renewed.body.expiresAt as string) - LEASE_MS - Date.now())).toBeLessThan(SLACK_MS);
        expect(await claim(ida[1], taskId)).toMatchObject({ status: 409, body: { code: 'lease/taken', fence: '1' } });
      }
      const lapsed = Date.now();
      await eventually(async () => (await cast.otto.get(`/api/tasks/${taskId}`)).body.status === 'queued', LEASE_MS + SLACK_MS + 5_000);
      expect(Date.now() - lapsed).toBeLessThan(LEASE_MS + SLACK_MS);

      const events = await readEventLog(site);
      const told = events.flatMap(({ data, recordedAt }) => [recordedAt, (data as { at?: string }).at ?? recordedAt]);
      expect(told.filter((at) => !/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(at))).toEqual([]);
      expect(told.filter((at) => Date.parse(at) < began - SLACK_MS || Date.parse(at) > Date.now() + SLACK_MS)).toEqual([]);
    },
    60_000,
  );
});
