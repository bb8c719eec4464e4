import { describeProblems } from '#libs/http';

describeProblems('not_found', { 'record/not-found': 'There is no such record here.' });
describeProblems('conflict', {
  'record/stale': 'The record is at another revision by now; `presentRevision` says which.',
  'record/archived': 'The record is archived and changes no more.',
  'record/wrong-status': 'The status cannot be reached from the present one.',
});
describeProblems('invalid', { 'record/invalid': 'Fields of the record break its rules; every one is named.' });
