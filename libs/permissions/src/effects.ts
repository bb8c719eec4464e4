/** What a call can do to the world. Tiers, the ladder and grants all stand on these. */
export const EFFECTS = [
  'read',
  'net.read',
  'read.secret',
  'net.send',
  'write.workspace',
  'write.outside',
  'write.sensitive',
  'write.device',
  'exec.script',
  'exec.inline',
  'exec.package',
  'proc.signal',
  'vcs.local',
  'vcs.remote',
  'infra.change',
  'db.client',
  'shell.state',
  'env.inject',
  'privilege',
  'destroy.fs',
  'destroy.vcs',
  'destroy.db',
  'destroy.infra',
  'destroy.system',
  'obfuscated',
  'unknown',
  'spend',
] as const;
export type Effect = (typeof EFFECTS)[number];

export const TIERS = ['safe', 'dangerous', 'destructive'] as const;
export type Tier = (typeof TIERS)[number];

/** 0 read, 1 write, 2 unknown, 3 financial, 4 destructive, 5 bulk. */
export type Ladder = 0 | 1 | 2 | 3 | 4 | 5;

/** From this rung on a human decides, whatever the tier. */
export const HUMAN_FROM: Ladder = 3;

/** A person decides at ladder 3 and above, and wherever the tier is not safe. */
export const needsHuman = (tier: Tier, ladder: Ladder): boolean => ladder >= HUMAN_FROM || tier !== 'safe';

export const tierOf = (effect: Effect): Tier => {
  if (effect === 'read' || effect === 'net.read') return 'safe';
  return effect.startsWith('destroy.') || effect === 'privilege' || effect === 'write.device' ? 'destructive' : 'dangerous';
};

/** @param bulk it has no bound: a root, a home, a whole database, many resources. */
export const ladderOf = (effect: Effect, bulk = false): Ladder => {
  switch (tierOf(effect)) {
    case 'safe':
      return 0;
    case 'destructive':
      return bulk ? 5 : 4;
    case 'dangerous':
      if (effect === 'spend') return 3;
      return effect === 'write.workspace' || effect === 'vcs.local' ? 1 : 2;
  }
};

export const rankOf = (tier: Tier): number => TIERS.indexOf(tier);
export const worstTier = (tiers: Iterable<Tier>): Tier => TIERS[Math.max(0, ...[...tiers].map(rankOf))]!;
export const worstLadder = (ladders: Iterable<Ladder>): Ladder => Math.max(0, ...ladders) as Ladder;

/** The effect as the end of a sentence whose subject is a program or an option. */
export const PHRASES: Readonly<Record<Effect, string>> = {
  read: 'only reads',
  'net.read': 'reads from the network',
  'read.secret': 'reads secrets',
  'net.send': 'sends data over the network',
  'write.workspace': 'writes files in the workspace',
  'write.outside': 'writes files outside the workspace',
  'write.sensitive': 'writes where it can change what runs, or who may',
  'write.device': 'writes to a device',
  'exec.script': 'runs code from a file',
  'exec.inline': 'runs code that is given to it',
  'exec.package': 'installs or runs code from packages',
  'proc.signal': 'signals or changes other processes',
  'vcs.local': 'changes the local repository',
  'vcs.remote': 'changes a remote repository',
  'infra.change': 'changes services or infrastructure',
  'db.client': 'runs statements on a database',
  'shell.state': 'changes how the shell runs what follows',
  'env.inject': 'sets a variable that steers programs',
  privilege: 'changes privileges or acts with them',
  'destroy.fs': 'destroys files beyond the work at hand',
  'destroy.vcs': 'destroys history or uncommitted work',
  'destroy.db': 'destroys data in a database',
  'destroy.infra': 'destroys services or infrastructure',
  'destroy.system': 'stops or breaks the system',
  obfuscated: 'hides what it does until it runs',
  unknown: 'is not known',
  spend: 'spends money',
};
