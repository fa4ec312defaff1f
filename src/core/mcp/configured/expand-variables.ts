import { Failure } from '../../errors.js'

/** `${NAME}` and `${NAME:-otherwise}` in a text, as users of other programs write them. */
export function expandVariables(text: string, environment: Record<string, string | undefined>, where: string): string {
  return text.replace(/\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g, (_whole, name: string, otherwise?: string) => {
    const value = environment[name] || otherwise
    if (value !== undefined) return value
    throw new Failure('invalid-input', `${where} needs the environment variable ${name}, which is not set.`, {
      hint: `Set ${name}, or write its value into the settings.`,
    })
  })
}
