export const clientNames = ['claude-desktop', 'claude-code', 'cursor', 'vscode', 'codex', 'opencode'] as const

export type ClientName = (typeof clientNames)[number]
