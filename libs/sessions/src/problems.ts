import { describeProblems } from '#libs/http';

describeProblems('not_found', {
  'session/not-found': 'There is no such session here, or it is not yours.',
  'approval/not-found': 'No approval of this session has that id, or none waits.',
  'session-grant/not-found': 'No grant of this session has that id.',
});
describeProblems('forbidden', {
  'session/runner-only': 'Only the agent that runs the session asks in it.',
  'session/owner-only': 'Only the human who is accountable for the run decides in it.',
  'session/policy-not-yours': 'Only an operator lets an unattended run approve an action itself.',
});
describeProblems('conflict', {
  'session/exists': 'The session was started already.',
  'session/cancelled': 'The session was cancelled; `by`, `at` and `reason` say who, when and why.',
  'session/parent-over': 'The parent session was cancelled.',
  'approval/exists': 'The approvalId stands for another call.',
  'approval/decided': 'It was decided already; `allow`, `via`, `cause`, `by` and `at` say how.',
  'approval/ambiguous': 'Several approvals wait, and the decision names none.',
  'approval/changed': 'It is not what was shown, or began to wait while it was being decided. Look at it again.',
  'session/no-conversation': 'The session is of no conversation that anything could be remembered for.',
  'approval/not-due': 'There is still time to decide.',
  'session-grant/over': 'The grant was revoked or has expired.',
});
describeProblems('too_many', { 'approval/too-many-pending': 'So many calls wait in this session that no more are taken.' });
describeProblems('gone', {
  'approval/timed-out': 'Time to decide is over; the call was denied and did not run. The agent has to ask again.',
});
describeProblems('invalid', { 'session/runner': 'A person names the credential of the agent that will run; an agent names none.' });
