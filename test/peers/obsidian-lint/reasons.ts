interface Reason {
  rule: string
  files: RegExp
  why: string
}

/** The warnings that stay, and why. */
export const reasons: readonly Reason[] = [
  {
    rule: 'obsidianmd/prefer-window-timers',
    files: /^src\/core\//,
    why: 'The core also runs on Node and in workers, where there is no window.',
  },
  {
    rule: 'obsidianmd/prefer-window-timers',
    files: /^src\/ui\//,
    why: 'The panels are the page’s as well; their timers act on their own nodes in whichever window.',
  },
  {
    rule: 'obsidianmd/no-global-this',
    files: /^src\/core\/(?:index\/semantic\/kernel|.*\/testing\/[\w-]+)\.ts$/,
    why: 'The core also runs on Node and in workers, where there is no window.',
  },
  {
    rule: 'obsidianmd/hardcoded-config-path',
    files: /^src\/core\/vault\/memory-vault\.ts$/,
    why: 'A vault in memory has no app that could name its folder; the one in Obsidian asks for it.',
  },
  {
    rule: '@typescript-eslint/no-deprecated',
    files: /^src\/ui\/composer\/composer\.tsx$/,
    why: 'Safari tells the last key of an input method by `keyCode` alone.',
  },
  {
    rule: '@typescript-eslint/no-explicit-any',
    files: /^src\/core\/tools\/(?:tool|testing\/call-tool)\.ts$/,
    why: 'A registry holds tools of every input and output.',
  },
  {
    rule: '@typescript-eslint/no-unused-vars',
    files: /^src\/core\/session\/running-sessions\.ts$/,
    why: 'Events are drawn to the end; nobody there looks at them.',
  },
  {
    rule: 'obsidianmd/ui/sentence-case',
    files: /^src\/apps\/obsidian\/in-note\/chat-in-note\.ts$/,
    why: '“Stop answering” is the name of a command.',
  },
]
