import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The licences of all packages that these files belong to, as one text. Their authors ask for no more. */
export function licencesOf(files) {
  const packages = packagesOf(files).sort((a, b) => (a.title < b.title ? -1 : 1))
  return `This program contains code of the following packages.\n\n${packages.map(section).join('\n')}`
}

/** The same text with the licences of the packages that these files belong to, where it lacks them. */
export function withLicencesOf(files, licences) {
  const missing = packagesOf(files).filter(({ title }) => !licences.includes(`\n${title}\n`))
  return [licences, ...missing.map(section)].join('\n')
}

function packagesOf(files) {
  const folders = new Set(files.map(packageFolder).filter((folder) => folder !== undefined))
  return [...folders].map(describe)
}

/** The folder of the package a file belongs to; undefined for our own. */
function packageFolder(path) {
  const end = path.lastIndexOf('node_modules/')
  if (end === -1) return undefined
  const inside = path.slice(end + 'node_modules/'.length).split('/')
  return path.slice(0, end) + ['node_modules', ...inside.slice(0, inside[0].startsWith('@') ? 2 : 1)].join('/')
}

function describe(folder) {
  const { name, version, license, repository } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const texts = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)\b/i.test(file))
  return {
    title: `${name} ${version} (${license})`,
    home: typeof repository === 'string' ? repository : repository?.url,
    text: texts.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n'),
  }
}

function section({ title, home, text }) {
  const line = '-'.repeat(title.length)
  return `${title}\n${line}\n\n${text === '' ? `See ${home}.` : text}\n`
}
