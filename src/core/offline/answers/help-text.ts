import type { OfflineWords } from './offline-words.js'

/** What can be done without a language model. */
export const helpText = ({
  undo,
  model,
}: OfflineWords): string => `No language model is configured, so I search your notes, quote them, and run plain requests:

- ask anything, and I quote what the notes say: \`when do we sow tomatoes?\`
- \`show [[Note]]\`, \`what links to Note\`, \`links of Note\`, \`notes tagged #tag\`, \`list tags\`, \`open tasks\`, \`how many notes are in Folder\`, \`list the notes in Folder\`, \`what changed this week\`, \`random note\`, \`notes from last week about bread\`
- \`create a note called Name with …\`, \`append … to Note\`, \`add … to today's note\`, \`rename Note to Name\`, \`tag Note with tag\`, \`set status of Note to done\`, \`delete Note\`

Every change is shown first and can be undone with ${undo}. A language model can do more. ${model}`
