import { describeProblems } from '#libs/http';

describeProblems('not_found', {
  'receipt/not-found': 'There is no such receipt here, or it is not yours to see.',
  'audit/not-found': 'Nothing has happened here under this audit id.',
});
