import { useState } from 'preact/hooks'
import { SettingField } from '../../../../ui/index.js'
import type { SectionProps } from './settings-pane.js'

/** Every setting there is, by its name in the file. */
export function AllSettings({ settings, save }: SectionProps) {
  const [words, setWords] = useState('')
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = settings.filter(({ key, about }) => {
    const text = `${key} ${about}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
  return (
    <>
      <h3>All settings</h3>
      <input
        type="search"
        aria-label="Find a setting"
        placeholder="Find a setting…"
        value={words}
        onInput={(event) => setWords(event.currentTarget.value)}
      />
      {fits.length === 0 && <p class="nw-remark">No setting has these words. Try fewer.</p>}
      {fits.map((setting) => (
        <SettingField key={setting.key} setting={setting} save={save} />
      ))}
    </>
  )
}
