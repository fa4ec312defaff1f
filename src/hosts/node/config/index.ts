export { type LoadedConfig, readConfig } from './read-config.js'
export { setConfigValue } from './write-config.js'
