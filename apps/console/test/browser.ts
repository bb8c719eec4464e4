import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import axe from 'axe-core';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { CREDENTIAL, startFixture, type Fixture, type Given } from './fixture-server.js';

const executablePath = [process.env.CHROMIUM_PATH, '/usr/bin/chromium'].find((candidate) => candidate && existsSync(candidate));

/** A suite in a real browser; where there is none it is skipped, and its name says so. */
export const describeInBrowser = (name: string, suite: () => void): void =>
  executablePath ? describe(name, suite) : describe.skip(`${name} (skipped: no Chromium; install it or set CHROMIUM_PATH)`, suite);

/** The built console in a browser. Everything opened by a test is closed by `closeAll`, which also tells what went wrong unseen. */
export const startBrowser = async () => {
  const root = path.resolve(__dirname, '../../..');
  const dist = await mkdtemp(path.join(tmpdir(), 'console-'));
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  await promisify(execFile)(process.execPath, [vite, 'build', 'apps/console', '--outDir', dist, '--emptyOutDir', '--logLevel', 'warn'], {
    cwd: root,
    // Jest's own NODE_ENV would make it a development build.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const browser: Browser = await chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  let opened: { close(): Promise<unknown> }[] = [];
  let faults: string[] = [];

  const newPage = async (options: BrowserContextOptions = {}): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width: 1200, height: 800 }, ...options });
    opened.push(context);
    await context.addInitScript(() => {
      addEventListener('securitypolicyviolation', (violation) =>
        console.error(`CSP ${violation.violatedDirective} ${violation.blockedURI}`),
      );
    });
    context.on('weberror', (fault) => faults.push(fault.error().message));
    context.on('console', (message) => {
      // A refused or cut request is logged by the browser itself, and is what some tests are about.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) faults.push(message.text());
    });
    return context.newPage();
  };

  return {
    dist,
    newPage,
    /** A server with these cards, requests, grants and tasks. */
    serve: async (given: Given): Promise<Fixture> => {
      const fixture = await startFixture(dist, given);
      opened.unshift({ close: fixture.stop });
      return fixture;
    },
    /** A page signed in and live, at the given address. */
    signedIn: async (fixture: Fixture, hash = '', options: BrowserContextOptions = {}): Promise<Page> => {
      const page = await newPage(options);
      await page.goto(`${fixture.url}/${hash}`);
      await page.getByLabel('Credential', { exact: true }).fill(CREDENTIAL);
      await page.keyboard.press('Enter');
      await page.locator('.connection[data-state=live]').waitFor();
      return page;
    },
    closeAll: async (): Promise<string[]> => {
      for (const each of opened.reverse()) await each.close();
      const seen = faults;
      opened = [];
      faults = [];
      return seen;
    },
    stop: async (): Promise<void> => {
      await browser.close();
      await rm(dist, { recursive: true, force: true });
    },
  };
};
export type TestBrowser = Awaited<ReturnType<typeof startBrowser>>;

/** What axe finds wrong, as rule and place. Run through the debugger, so the page's own content policy stays in force. */
export const violations = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe.source);
  const found = await page.evaluate(() => (window as unknown as { axe: typeof axe }).axe.run());
  return found.violations.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.html).join(' ')}`);
};
