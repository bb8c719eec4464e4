export const Mark = () => (
  <svg class="mark" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
    <path d="M1 4h14v3H1zM3 8h2.5v5H3zM10.5 8H13v5h-2.5z" />
  </svg>
);
