import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Settings } from './settings.js';
import type { RunningServer } from './start-server.js';

/** Where the demo and the curl lines find the ready-made credentials; for this user's eyes only. */
export const credentialsFile = ({ dataDir }: Pick<Settings, 'dataDir'>): string => path.join(dataDir, 'credentials.json');

/** Says where the server is, and, where a start made credentials, who may do what and three lines to try. */
export async function showFirstSteps(
  settings: Settings,
  { url, credentials }: RunningServer,
  print = (line: string) => void process.stdout.write(`${line}\n`),
): Promise<void> {
  if (url === undefined) return print('Workbench works in the background: projections, reactors and deadlines.');
  // Before a line says that it is there.
  if (credentials.length > 0) {
    await mkdir(settings.dataDir, { recursive: true });
    await writeFile(credentialsFile(settings), `${JSON.stringify({ url, credentials }, null, 2)}\n`, { mode: 0o600 });
  }
  print(`\nWorkbench is at ${url}   (API documentation: ${url}/docs)\n`);
  if (credentials.length === 0) return;

  const width = Math.max(...credentials.map(({ name }) => name.length));
  for (const { name, role, credential } of credentials) print(`  ${name.padEnd(width)}  ${role.padEnd(11)}  ${credential}`);
  const of = (role: string): string => credentials.find((ready) => ready.role === role)?.credential ?? '<credential>';
  print(`
Sign in to the inbox with an approver's credential, or try:
  curl -s ${url}/api/me -H 'Authorization: Bearer ${of('approver')}'
  curl -s '${url}/api/confirmations?status=pending' -H 'Authorization: Bearer ${of('approver')}'
  curl -sN ${url}/api/events/stream -H 'Authorization: Bearer ${of('operator')}'

Play the whole round trip in a second terminal: npm run demo
`);
}
