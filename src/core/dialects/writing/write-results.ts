import { neutralise } from './neutralise.js'

export interface WrittenResult {
  name: string
  text: string
  isError?: boolean
}

/** Results as labelled blocks, in the order of the calls. Only the labels with the mark are ours; nothing inside can look like one. */
export function writeResults(results: readonly WrittenResult[], mark: string): string {
  return results
    .map(({ name, text, isError }, index) => {
      const label = `${index + 1} ${name.replace(/[^\w.:/-]/g, '')}${isError ? ' error' : ''}`
      // Should a text contain the mark after all, it loses it.
      const inside = neutralise(text).replaceAll(`#${mark}`, '#…')
      return `[tool_result #${mark} ${label}]\n${inside}\n[/tool_result #${mark}]`
    })
    .join('\n')
}
