import type { DeclareCommand } from '../program/declare-command.js'
import { declareAsk } from './ask/command.js'
import { declareChat } from './chat/command.js'
import { declareConfig } from './config/command.js'
import { declareDialect } from './dialect/command.js'
import { declareDoctor } from './doctor/command.js'
import { declareHistory } from './history/command.js'
import { declareIndex } from './index/command.js'
import { declareInit } from './init/command.js'
import { declareKeys } from './keys/command.js'
import { declareLinks } from './links/command.js'
import { declareLog } from './log/command.js'
import { declareMcp } from './mcp/command.js'
import { declareMcpServers } from './mcp-servers/command.js'
import { declareMemory } from './memory/command.js'
import { declareModels } from './models/command.js'
import { declareMove } from './move/command.js'
import { declarePermissions } from './permissions/command.js'
import { declareProjects } from './projects/command.js'
import { declareRelated } from './related/command.js'
import { declareSearch } from './search/command.js'
import { declareServe } from './serve/command.js'
import { declareSessions } from './sessions/command.js'
import { declareSettle } from './settle/command.js'
import { declareStats } from './stats/command.js'
import { declareStatus } from './status/command.js'
import { declareTool } from './tool/command.js'
import { declareUndo } from './undo/command.js'
import { declareWeb } from './web/command.js'

/** Every command, in the order help shows them. */
export const commands: readonly DeclareCommand[] = [
  declareAsk,
  declareChat,
  declareSessions,
  declareWeb,
  declareServe,
  declareIndex,
  declareSearch,
  declareLinks,
  declareRelated,
  declareMove,
  declareUndo,
  declareHistory,
  declareSettle,
  declareLog,
  declareStats,
  declareProjects,
  declareMemory,
  declareStatus,
  declareDoctor,
  declareConfig,
  declareModels,
  declareKeys,
  declareTool,
  declareMcp,
  declareInit,
  declareMcpServers,
  declarePermissions,
  declareDialect,
]
