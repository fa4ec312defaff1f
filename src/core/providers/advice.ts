import type { Provider } from './provider.js'

/** What a person can do about a model where they are, in words: with commands, or in the settings of an app. */
export interface Advice {
  key(provider: Provider): string
  /** Without its end, since it may go on. */
  address(provider: Provider): string
  models(provider: Provider): string
  /** What to enter, or to set, so that this setting has this value. */
  setting(name: string, value: string): string
}

export const commandLineAdvice: Advice = {
  key: ({ id, key }) => `Store a key with: notewright keys set ${id}, or set ${key!.environment[0]}.`,
  address: ({ address }) => `set ${address.environment[0]} to its base URL`,
  models: () => 'See what there is: notewright models --probe',
  setting: (name, value) => `notewright config set ${name} ${value}`,
}
