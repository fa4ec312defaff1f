import { examples, whenAlone } from '../../program/command-words.js'
import type { DeclareCommand } from '../../program/declare-command.js'

export const declareProjects: DeclareCommand = (program, run) => {
  const projects = program
    .command('projects')
    .description('Show the projects of this vault: parts of it to work in, with instructions of their own.')
    .addHelpText('after', examples(['notewright projects list'], ['notewright ask --project Garden "what is ripe?"']))
  projects
    .command('list')
    .description('List the projects, where each is set up, and how many notes it has.')
    .addHelpText('after', examples(['notewright projects list'], ['notewright projects list --json']))
    .action(() => run(async (to) => (await import('./projects.js')).projectsList(to)))
  projects
    .command('show')
    .description('Show what a project says, what of it counts, and its notes.')
    .argument('<name>', 'its name')
    .addHelpText('after', examples(['notewright projects show Garden'], ['notewright projects show Garden --json']))
    .action((name: string) => run(async (to) => (await import('./projects.js')).projectsShow(to, name)))
  projects
    .command('check')
    .description('Look for folders, tags, notes and tools that are not there, and for what a note may not ask for.')
    .addHelpText(
      'after',
      examples(
        ['notewright projects check'],
        ['notewright projects check --json', 'exit code 1 when something is wrong'],
      ),
    )
    .action(() => run(async (to) => (await import('./projects.js')).projectsCheck(to)))
  whenAlone(projects, () => run(async (to) => (await import('./projects.js')).projectsList(to)))
}
