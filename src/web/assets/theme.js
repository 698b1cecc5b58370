// This is a classic script in the head, so that the page is drawn once, in the right colours.
const STORED_THEME = 'pressroom.theme';
const systemIsDark = matchMedia('(prefers-color-scheme: dark)');

function isDark() {
  const chosen = localStorage.getItem(STORED_THEME);
  return chosen === null ? systemIsDark.matches : chosen === 'dark';
}

function showTheme() {
  // Swagger UI has a style sheet for this class.
  document.documentElement.classList.toggle('dark-mode', isDark());
  const button = document.getElementById('theme');
  if (button) button.textContent = isDark() ? 'Light' : 'Dark';
}

systemIsDark.addEventListener('change', showTheme);
document.addEventListener('DOMContentLoaded', () => {
  showTheme();
  document.getElementById('theme').addEventListener('click', () => {
    localStorage.setItem(STORED_THEME, isDark() ? 'light' : 'dark');
    showTheme();
  });
});
showTheme();
