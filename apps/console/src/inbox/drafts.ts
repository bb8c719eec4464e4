const key = (id: string): string => `workbench.reason.${id}`;

/** What someone typed for a card or request, kept for this tab until it is sent: over an error, a reload, or an ended session. */
export const draftOf = (id: string): string => sessionStorage.getItem(key(id)) ?? '';
export const saveDraft = (id: string, text: string): void => {
  if (text === '') sessionStorage.removeItem(key(id));
  else sessionStorage.setItem(key(id), text);
};
