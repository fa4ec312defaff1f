import { collected, examples, whenAlone } from '../../program/command-words.js'
import type { DeclareCommand } from '../../program/declare-command.js'

export const declareMcpServers: DeclareCommand = (program, run) => {
  const servers = program
    .command('mcp-servers')
    .description("Use other people's tools: add, look at and trust MCP servers.")
    .addHelpText(
      'after',
      examples(
        ['notewright mcp-servers add files -- npx -y @modelcontextprotocol/server-filesystem ~/Data'],
        ['notewright mcp-servers tools files --enable read_text_file'],
      ),
    )
  servers
    .command('list')
    .description('List the servers of your settings and of this vault with what would be started. Starts none.')
    .addHelpText('after', examples(['notewright mcp-servers list'], ['notewright mcp-servers list --json']))
    .action(() => run(async (to) => (await import('./list.js')).serversList(to)))
  servers
    .command('add')
    .description('Add a server to your settings. It is not started before a tool of it is on.')
    .argument('<name>', 'how you call it: letters, digits, ., - and _')
    .argument('[command...]', 'the program and its arguments, after --')
    .option('--env <NAME=VALUE>', `a variable for it; VALUE may be \${OTHER}; may be repeated`, collected)
    .option('--url <address>', 'the address of a server that runs elsewhere, in place of a program')
    .option(
      '--header <"Name: value">',
      `what that server is sent along, kept with your keys; a value with \${VARIABLE} stays in the settings; may be repeated`,
      collected,
    )
    .addHelpText(
      'after',
      examples(
        ['notewright mcp-servers add memory -- npx -y @modelcontextprotocol/server-memory'],
        [`notewright mcp-servers add issues --env 'TOKEN=\${MY_TOKEN}' -- issue-server --stdio`],
        ['notewright mcp-servers add wiki --url https://mcp.example.org/mcp --header "Authorization: Bearer KEY"'],
      ),
    )
    .action((name: string, words: string[], options) =>
      run(async (to) => (await import('./add.js')).serversAdd(to, name, words, options)),
    )
  servers
    .command('remove')
    .description('Remove a server from your settings. Its tools are off.')
    .argument('<name>', 'the server')
    .addHelpText('after', examples(['notewright mcp-servers remove memory']))
    .action((name: string) => run(async (to) => (await import('./remove.js')).serversRemove(to, name)))
  servers
    .command('test')
    .description('Start a server, greet it, list its tools and end it again.')
    .argument('<name>', 'the server')
    .addHelpText(
      'after',
      examples(['notewright mcp-servers test memory'], ['notewright mcp-servers test memory --json']),
    )
    .action((name: string) => run(async (to) => (await import('./test.js')).serversTest(to, name)))
  servers
    .command('trust')
    .description('Let a server be started that this vault names in its .mcp.json. Shows all that would be run.')
    .argument('<name>', 'the server')
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', examples(['notewright mcp-servers trust team-wiki']))
    .action((name: string, options) => run(async (to) => (await import('./trust.js')).serversTrust(to, name, options)))
  servers
    .command('tools')
    .description('Show what the tools of a server say of themselves, and switch them on or off.')
    .argument('<name>', 'the server')
    .option('--enable <tool>', 'show this one and switch it on; may be repeated', collected)
    .option('--disable <tool>', 'switch this one off; may be repeated', collected)
    .option('-y, --yes', 'do not ask')
    .addHelpText(
      'after',
      examples(
        ['notewright mcp-servers tools memory'],
        ['notewright mcp-servers tools memory --enable search_nodes --enable open_nodes'],
      ),
    )
    .action((name: string, options) => run(async (to) => (await import('./tools.js')).serversTools(to, name, options)))
  whenAlone(servers, () => run(async (to) => (await import('./list.js')).serversList(to)))
}
