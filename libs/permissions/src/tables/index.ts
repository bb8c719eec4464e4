import { type Entry, type Rule, words } from '../rules/rule.js';
import { archives } from './archives.js';
import { cloud } from './cloud.js';
import { containers } from './containers.js';
import { databases } from './databases.js';
import { development } from './development.js';
import { filters } from './filters.js';
import { forges } from './forges.js';
import { git } from './git.js';
import { kubernetes } from './kubernetes.js';
import { languages } from './languages.js';
import { network } from './network.js';
import { nodePackages } from './node-packages.js';
import { packages } from './packages.js';
import { provisioning } from './provisioning.js';
import { reading } from './reading.js';
import { shell } from './shell.js';
import { systemPackages } from './system-packages.js';
import { macos, system } from './system.js';
import { toolchains } from './toolchains.js';
import { tools } from './tools.js';
import { versionControl } from './version-control.js';
import { wrappers } from './wrappers.js';
import { writing } from './writing.js';

/** Every program that is known, family by family. */
export const FAMILIES: Readonly<Record<string, readonly Entry[]>> = {
  reading,
  filters,
  writing,
  archives,
  shell,
  wrappers,
  git,
  versionControl,
  network,
  packages,
  nodePackages,
  systemPackages,
  containers,
  kubernetes,
  cloud,
  forges,
  provisioning,
  databases,
  development,
  languages,
  tools,
  toolchains,
  system,
  macos,
};

const rules = new Map<string, Rule>();
for (const entries of Object.values(FAMILIES))
  for (const { programs, rule } of entries) for (const program of words(programs)) rules.set(program, rule);

/** The rule for a program by its plain name; `python3.12` and `clang-15` are judged as `python3` and `clang`. */
export const ruleOf = (program: string): Rule | undefined => {
  const exact = rules.get(program);
  if (exact) return exact;
  const plain = program.replace(/[-.]?\d+(\.\d+)*$/, '');
  return plain !== program && plain.length > 1 ? (rules.get(program.replace(/(\d)\.\d+$/, '$1')) ?? rules.get(plain)) : undefined;
};

export const knownPrograms = (): readonly string[] => [...rules.keys()];
