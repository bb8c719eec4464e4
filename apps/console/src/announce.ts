/** Says something to people who do not see the screen change. The region stands in index.html, so it outlives every page. */
export const announce = (sentence: string): void => {
  const region = document.getElementById('announcements');
  if (region) region.textContent = sentence;
};
