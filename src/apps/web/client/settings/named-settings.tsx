import { SettingField } from '../../../../ui/index.js'
import type { SectionProps } from './settings-pane.js'

/** Some of the settings, in this order, under words that a person knows them by. */
export function NamedSettings({ settings, save, names }: SectionProps & { names: Readonly<Record<string, string>> }) {
  return (
    <>
      {Object.entries(names).map(([key, label]) => {
        const setting = settings.find((one) => one.key === key)
        return setting && <SettingField key={key} setting={setting} label={label} save={save} />
      })}
    </>
  )
}
