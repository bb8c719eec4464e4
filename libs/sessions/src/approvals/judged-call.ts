import { shellCommandOf, wordsOf } from './plain-words.js';

/**
 * What is known of a call when it is asked about. `tier` is 0 to 5, from 4 on it destroys. `program` is what a grant would be keyed on;
 * empty where the call cannot be named. `ungrantable` says why it is allowed once only.
 */
export type JudgedCall = Readonly<{ tier: number; program: readonly string[]; effects: readonly string[]; ungrantable?: string }>;

/** How a call is judged. Where it throws, a person sees the call every time, and no grant covers it. */
export type JudgeCall = (call: Readonly<{ tool: string; toolInput: Readonly<Record<string, unknown>>; cwd?: string }>) => JudgedCall;

/** Tier of what nobody knows better. */
const UNKNOWN = 2;
const DESTRUCTIVE = 4;

/**
 * Judges without any knowledge of shells, and so never more than it can be sure of: only a command of plain words has a program, and
 * that is all of its words, so that a grant covers that very command again and no other option of it.
 */
export const judgeByWords: JudgeCall = ({ toolInput }) => {
  const command = shellCommandOf(toolInput);
  const words = command === undefined ? undefined : wordsOf(command);
  const judged = { tier: UNKNOWN, effects: ['unknown'] };
  if (command === undefined) return { ...judged, program: [], ungrantable: 'It names no program.' };
  if (!words) return { ...judged, program: [], ungrantable: 'It is more than one plain command.' };
  const name = nameOf(words[0]!);
  if (RUNS_OTHERS.test(name)) return { ...judged, program: words, ungrantable: `${name} runs whatever it is given.` };
  if (DESTROYS.test(name) || words.some((word) => DESTROYING_WORD.test(word)))
    return { ...judged, tier: DESTRUCTIVE, program: words, ungrantable: 'It may destroy something.' };
  return { ...judged, program: words };
};

const nameOf = (word: string): string => word.slice(word.lastIndexOf('/') + 1).toLowerCase();

const RUNS_OTHERS =
  /^((ba|da|z|k|c|tc|fi)?sh|busybox|python[\d.]*|node|deno|bun|ruby|perl|php|lua|tclsh|osascript|pwsh|powershell|awk|gawk|sed|env|xargs|exec|eval|source|command|builtin|nohup|nice|time|timeout|watch|parallel|script|ssh|find|npx|uvx|pipx|doas|su|sudo|\.)$/;
const DESTROYS =
  /^(rm|rmdir|unlink|shred|dd|mkfs.*|fdisk|parted|wipefs|truncate|kill|pkill|killall|shutdown|reboot|halt|poweroff|init|chmod|chown|crontab)$/;
const DESTROYING_WORD =
  /^(-[a-z]*f[a-z]*|-D|\+.*|--force.*|--hard|--delete|--mirror|--prune|--purge|--no-preserve-root|clean|reset|restore|purge|destroy|delete|drop|prune|rm|rmi|remove|uninstall|terminate|down|flushall|flushdb)$/i;
