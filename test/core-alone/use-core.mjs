/** Uses the core as an embedding program would: index, search, link, ask, write, undo, read a reply. */
export async function use(core) {
  const vault = core.memoryVault({
    files: {
      'Garden/Tomatoes.md': '---\ntags: [garden]\n---\n# Tomatoes\n\nOxheart ripens last. See [[Compost]].\n',
      // A value over two lines is for the YAML package, which looks behind where it can and otherwise does not.
      'Garden/Compost.md':
        '---\nkind: "heap\n  of leaves"\n---\n# Compost\n\nTurn the heap every second week. #garden\n',
      'Ideas.md': '# Ideas\n\nA bench under the oak.\n',
    },
  })
  const notebook = await core.openNotebook({ vault, store: core.memoryStore() })
  await notebook.update()
  const { hits } = await notebook.index.search({ query: 'when does the oxheart ripen', limit: 3 })
  const forward = await notebook.index.linksFrom(core.notePath('Garden/Tomatoes.md'))
  const { properties } = await notebook.index.note(core.notePath('Garden/Compost.md'))

  const { signal } = new AbortController()
  const tools = core.registry(core.builtInTools)
  const offered = core.defaultToolset(tools)
  const vocabulary = core.ruleVocabulary(tools)
  const setup = {
    registry: tools,
    offered,
    guard: core.guard({
      level: 'auto',
      rules: [core.parseRule('delete_note', vocabulary, { effect: 'deny', from: 'test' })],
      vocabulary,
      grants: core.memoryGrants(),
      approvals: core.approvalQueue({}),
    }),
    log: core.memoryLog(),
    apply: notebook.apply,
    context: {
      vault,
      index: notebook.index,
      clock: { now: () => new Date('2024-01-15T12:00:00Z'), timeZone: 'UTC' },
      settings: { dailyNotes: async () => ({ folder: '', format: 'YYYY-MM-DD' }) },
      timers: { get: async () => undefined, set: async () => {} },
      session: 'test',
      signal,
      report: () => {},
    },
  }
  const call = (name, input) => core.runTool({ id: name, name, input }, setup)
  const appended = await call('append_note', { path: 'Ideas.md', content: 'A swing.' })
  const written = (await vault.read(core.notePath('Ideas.md'))).text
  await notebook.apply(await notebook.planUndo({ session: 'test' }))
  const undone = (await vault.read(core.notePath('Ideas.md'))).text
  const denied = await call('delete_note', { path: 'Ideas.md' })
  const invalid = await call('read_note', { path: 7 })

  const { name, model, profile } = await core.openModel('offline', { environment: {}, fetch })
  const events = []
  const turn = { id: 'turn', text: 'when does the oxheart ripen?', mode: 'agent' }
  const ask = {
    model,
    modelName: name,
    profile,
    tools: setup,
    toolset: tools.enabled(offered, { vault: true }),
    signal,
  }
  for await (const event of core.run(turn, ask)) events.push(event)
  const { reason, text } = events.at(-1)

  const key = 'sk-test'
  const opened = []
  for (const { id } of core.providers) {
    const environment = new Proxy({}, { get: (_none, name) => (/KEY/.test(name) ? key : 'http://127.0.0.1:9/v1') })
    opened.push((await core.openModel(`${id}/some-model`, { environment, fetch })).name)
  }

  const reply = '<tool_call>{"name": "read_note", "arguments": {"path": "Ideas.md"}}</tool_call>'
  const readTool = tools.all().find(({ tool }) => tool.name === 'read_note').tool
  const readerTools = [{ name: 'read_note', inputSchema: core.inputSchema(readTool) }]
  const { calls } = core.readReply([reply.slice(0, 9), reply.slice(9)], { tools: readerTools })

  return {
    hits: hits.map(({ path }) => path),
    kind: properties.kind,
    links: forward.map(({ target }) => target),
    appended: appended.ok,
    written,
    undone,
    denied: denied.code,
    invalid: invalid.text,
    events: [...new Set(events.map(({ type }) => type))],
    answer: { reason, text },
    opened,
    calls,
  }
}
