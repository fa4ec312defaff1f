import { Option } from 'commander'
import { examples } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import { withReadableNotebook } from '../session/open-notebook.js'
import { visibleLine } from '../terminal/terminal.js'
import { cutToWidth } from '../terminal/text-width.js'

export const declareTags: DeclareCommand = (command, run) => {
  command
    .addOption(new Option('--sort <order>', 'sort by number of notes or by name').choices(['count', 'name']))
    .addHelpText('after', examples(['notewright tags'], ['notewright tags --sort name'], ['notewright tags --json']))
    .action((options: TagsOptions) => run((to) => tags(to, options)))
}

interface TagsOptions {
  sort?: 'count' | 'name'
}

/** Lists every tag with the number of notes that carry it. */
async function tags(invocation: Invocation, { sort = 'count' }: TagsOptions): Promise<void> {
  const { terminal, signal } = invocation
  await withReadableNotebook(invocation, async (notebook) => {
    await notebook.update({ signal, vectors: false })
    const used = await notebook.index.tags()
    const found = sort === 'name' ? [...used].sort((one, other) => one.tag.localeCompare(other.tag)) : used
    if (terminal.json) return terminal.printJson({ tags: found })
    if (found.length === 0) return terminal.say('No tags in this vault.')
    const digits = String(Math.max(...found.map(({ notes }) => notes))).length
    for (const { tag, notes } of found) {
      const name = cutToWidth(`#${visibleLine(tag)}`, terminal.width - digits - 2)
      terminal.print(`${terminal.style.faint(String(notes).padStart(digits))}  ${name}`)
    }
  })
}
