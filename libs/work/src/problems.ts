import { describeProblems } from '#libs/http';

describeProblems('not_found', {
  'task/not-found': 'There is no such task here.',
  'lease/not-found': 'There is no lease with this id.',
  'artifact/not-found': 'No bytes with this SHA-256 are stored here.',
});
describeProblems('forbidden', {
  'lease/not-capable': 'The credential is not capable of that queue, or the claim would widen what it is capable of.',
  'lease/not-holder': 'Another principal or credential holds the lease; `heldBy` says who.',
  'verification/not-independent': 'You share lineage with someone who leased or reported the task; `proof` is the event that shows it.',
  'verification/human-only': 'It could not be judged by machine; a human verifier has to.',
});
describeProblems('conflict', {
  'lease/taken': 'Someone holds the task; `heldBy` and `expiresAt` say who and until when.',
  'lease/not-claimable': 'The task is in a status in which it is not claimed.',
  'lease/lost': 'The lease ended; `heldBy` says who holds the task now, `artifactsCount` whether what was handed in counts.',
  'lease/unknown-fence': 'This fence was never granted for the task.',
  'lease/other-kind': 'The lease under this fence is for the other kind of work.',
  'lease/ended': 'The lease is not live.',
  'task/blocked': 'A question is open already.',
  'task/not-blocked': 'No question is open, or not that of this fence.',
  'task/closed': 'The task is shipped or cancelled.',
  'task/not-requeueable': 'Only an exhausted or unverifiable task is offered again.',
  'report/out-of-scope': 'Changed paths lie outside the accepted scope; `paths` names them.',
  'verification/not-reported': 'There is no report to verify.',
  'verification/taken': 'Another verifier has it; `heldBy` says who.',
  'verification/decided': 'A verdict on this report stands.',
  'verdict/other-report': 'The report was replaced, or it is not the one that was taken.',
  'verdict/paths-differ': 'What git shows differs from the report or the scope: `hidden`, `claimed`, `outOfScope`.',
  'verdict/evidence-missing':
    'A required check has no passing run that is not self-reported, with readable output; `missing` says which and why.',
  'ship/not-verified': 'There is no standing verdict.',
  'ship/revision-mismatch': 'The commit is neither the verified one nor one with the identical tree.',
  'ship/shipped': 'It was shipped; `revision`, `by` and `at` say what, who and when.',
});
describeProblems('invalid', {
  'report/no-artifact': 'A report names at least one artifact.',
  'report/artifact-place': 'An artifact has exactly one of path and uri.',
  'verdict/no-findings': 'A rejection names at least one finding.',
  'artifact/digest-mismatch': 'The bytes do not have the SHA-256 of the path.',
});
describeProblems('too_large', {
  'report/too-large': 'The report is larger than a receipt could hold; `limit` says how many bytes.',
  'verdict/too-large': 'The verdict is larger than a receipt could hold; `limit` says how many bytes.',
});
