import type { SettingGroup } from '../../../../core/config/index.js'
import { SettingField, type ShownSetting } from '../../../../ui/index.js'
import type { SectionProps } from './settings-pane.js'

/** Settings that the permissions section lists and changes one by one. */
const listedElsewhere = ['permissions.allow', 'permissions.ask', 'permissions.deny']

/** The settings of some groups of the schema, in the order of the schema. */
export function SettingGroups({ settings, save, groups }: SectionProps & { groups: readonly SettingGroup[] }) {
  const inGroup = ({ key, group }: ShownSetting) =>
    group !== undefined && groups.includes(group) && !listedElsewhere.includes(key)
  return (
    <div class="nw-rows">
      {settings.filter(inGroup).map((setting) => (
        <SettingField key={setting.key} setting={setting} save={save} />
      ))}
    </div>
  )
}
