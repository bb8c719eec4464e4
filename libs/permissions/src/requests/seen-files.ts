import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import { Injectable } from '@nestjs/common';
import { PermissionSettings } from '../permission-settings.js';
import type { Verdict } from '../verdict.js';
import type { SeenFile, ToolCall } from './call.js';
import { namedFiles } from './named-files.js';

/** The content of files that a call runs, as far as this server can see them. */
@Injectable()
export class SeenFiles {
  constructor(private readonly settings: PermissionSettings) {}

  /** Undefined where the call runs no code of its own. A file that cannot be read, is too large or lies elsewhere is not seen. */
  async of(call: ToolCall, verdict: Verdict): Promise<readonly SeenFile[] | undefined> {
    const named = namedFiles(call, verdict);
    if (!named) return undefined;
    const seen: SeenFile[] = [];
    for (const { word, at } of named.slice(0, MOST_FILES)) {
      const sha256 = at === undefined ? undefined : await this.digest(at);
      if (sha256 !== undefined) seen.push({ path: word, sha256 });
    }
    return seen;
  }

  private async digest(path: string): Promise<string | undefined> {
    try {
      const real = await realpath(path);
      if (!this.settings.scriptRoots.some((root) => isBelow(real, root))) return undefined;
      // Without waiting for whoever would write into a pipe.
      const file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK);
      try {
        const stat = await file.stat();
        if (!stat.isFile() || stat.size > MOST_BYTES) return undefined;
        const { bytesRead, buffer } = await file.read(Buffer.alloc(MOST_BYTES + 1), 0, MOST_BYTES + 1, 0);
        return bytesRead > MOST_BYTES ? undefined : createHash('sha256').update(buffer.subarray(0, bytesRead)).digest('hex');
      } finally {
        await file.close();
      }
    } catch {
      return undefined;
    }
  }
}

const MOST_FILES = 16;
const MOST_BYTES = 1_048_576;
const isBelow = (path: string, root: string): boolean => path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);

/** What a person is told of it, beside the reason. */
export const boundTo = (files: readonly SeenFile[]): string =>
  files.length > 0
    ? `An approval is for ${files.map(({ path }) => path).join(', ')} as it is now.`
    : 'What it runs is not seen here: an approval is not bound to what that holds.';
