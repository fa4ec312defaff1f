import { garden } from './garden.js'
import { office } from './office.js'

export const vaults = { garden, office }
