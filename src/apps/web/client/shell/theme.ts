import { readStored, store } from './stored.js'

/** Chosen look of the page: as the system's, or one of the two. */
export type Theme = 'system' | 'light' | 'dark'

const key = 'notewright-theme'

export function chosenTheme(): Theme {
  const stored = readStored(key)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

export function chooseTheme(theme: Theme): void {
  store(key, theme === 'system' ? undefined : theme)
  apply()
}

const dark = matchMedia('(prefers-color-scheme: dark)')

/** Draws the page in the chosen theme, from now on and in every tab. */
export function followTheme(): void {
  dark.addEventListener('change', apply)
  addEventListener('storage', (event) => event.key === key && apply())
  apply()
}

function apply(): void {
  const theme = chosenTheme()
  const isDark = theme === 'dark' || (theme === 'system' && dark.matches)
  document.documentElement.className = isDark ? 'theme-dark' : 'theme-light'
}
