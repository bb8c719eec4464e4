import { describeProblems } from '#libs/http';

describeProblems('not_found', { 'proposal/not-found': 'There is no such proposal or card here, or it is not yours to see.' });
describeProblems('forbidden', {
  'proposal/not-yours': 'Only the agent that submitted it, or the person who asked, may do this.',
  'delegation/missing': 'A proposal needs the Workbench-Delegation of the person it is made for.',
  'confirmation/own': 'Four eyes: another person than the one who asked must decide.',
  'confirmation/human-only': 'Only a person decides a confirmation.',
  'confirmation/token-invalid': 'The confirmation_token is not one for this viewer and card.',
});
describeProblems('conflict', {
  'proposal/exists': 'The proposal was submitted already.',
  'proposal/not-reproposable': 'Only a card that went stale, expired or failed is proposed again.',
  'confirmation/decided': 'Somebody decided already; `by`, `at` and `decision` say who, when and what.',
  'confirmation/stale': 'The records are no longer as the card showed them; `moved` names them. Propose again.',
  'confirmation/closed': 'It was withdrawn, or a newer proposal stands in its place.',
  'confirmation/token-used': 'This very token decided already.',
  'confirmation/token-expired': 'The card was shown more than 5 minutes ago. Read it again.',
  'confirmation/changed': 'The card is not the one that the token was shown with. Read it again.',
});
describeProblems('gone', { 'confirmation/expired': 'Time to decide is over and nothing was done. Propose again.' });
describeProblems('invalid', {
  'proposal/no-change': 'The records are like this already.',
  'proposal/wrong-kind': 'The operation is for records of another kind.',
});
