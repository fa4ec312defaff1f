import type { Provider } from './provider.js'

/** Hints about models in the words of the current front end: commands, or the settings of an app. */
export interface Advice {
  key(provider: Provider): string
  /** Without a final period, since the sentence may continue. */
  address(provider: Provider): string
  models(provider: Provider): string
  /** How to give a setting this value. */
  setting(name: string, value: string): string
}

export const commandLineAdvice: Advice = {
  // Asked for only for providers that have keys.
  key: ({ id, key }) => `Add an API key: notewright keys set ${id}, or set ${key!.environment[0]}.`,
  address: ({ address }) => `set ${address.environment[0]} to its base URL`,
  models: () => 'List the available models: notewright models --probe',
  setting: (name, value) => `notewright config set ${name} ${value}`,
}
