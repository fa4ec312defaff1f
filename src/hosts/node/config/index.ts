export { type LoadedConfig, readConfig, type Source } from './read-config.js'
export { setConfigValue } from './write-config.js'
