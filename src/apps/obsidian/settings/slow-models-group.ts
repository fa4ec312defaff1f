import type { SettingDefinitionGroup } from 'obsidian'
import { advisedRows } from '../../../hosts/obsidian/index.js'
import { choiceRow, numberRow, typedRow } from './rows.js'
import type { PageParts } from './settings-page.js'

/** What a model on a machine of one's own may need. */
export function slowModelsGroup({ text, save }: PageParts): SettingDefinitionGroup {
  return {
    type: 'group',
    heading: 'Models of your own',
    items: [
      typedRow({
        key: 'models.window',
        name: advisedRows.window,
        placeholder: 'The server says',
        value: () => text('models.window'),
        save: (key, typed) => save(key, typed === '' ? '' : Number(typed)),
      }),
      numberRow({ key: 'models.stallSeconds', name: advisedRows.stallSeconds }),
      choiceRow(
        { key: 'dialect', name: advisedRows.dialect },
        {
          auto: 'As the model can',
          native: 'By the protocol of its provider',
          sentinel: 'As text: sentinel',
          'use-tool': 'As text: use-tool',
        },
      ),
    ],
  }
}
