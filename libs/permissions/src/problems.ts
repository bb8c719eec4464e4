import { describeProblems } from '#libs/http';

describeProblems('not_found', {
  'permission/not-found': 'There is no such request here, or it is not yours.',
  'permission/decided': 'It was decided already; `by`, `at` and `decision` say who, when and what.',
  'permission/expired': 'Its time is over and nothing was run. The agent has to ask again.',
  'permission/cancelled': 'The agent took it back, or its run ended. A runtime that redeems it is told so with `allow: false`.',
  'grant/not-found': 'There is no such grant here, or it is not yours.',
  'enablement/not-found': 'This effect is not enabled.',
  'enablement/unknown-effect': 'There is no destructive effect of this name.',
});
describeProblems('malformed', {
  'permission/bad-decision': 'requestId or decision is missing, or decision is none of approve, reject, approve_always.',
});
describeProblems('forbidden', {
  'permission/not-this-agent': 'agentId is the id of a principal that is not the caller.',
  'permission/human-only': 'Only a person may do this.',
});
describeProblems('conflict', {
  'permission/exists': 'The id of the new request is taken. Ask again.',
  'permission/closed': 'It has run, or was decided against, and is not taken back any more.',
  'permission/changed': 'It is not what was shown when you decided; `presentedDigest` is that of what it says now. Read it again.',
  'permission/blocked': 'The modified input may not run at all; `tier` and `reason` say why.',
  'grant/over': 'The grant was revoked, has expired or is used up.',
});
describeProblems('too_many', {
  'permission/too-many-pending': 'So many calls wait for their owner that no more are taken; `pending` says how many. Nothing was queued.',
});
describeProblems('invalid', {
  'permission/modified-input': 'modifiedInput is no input of this tool.',
});
