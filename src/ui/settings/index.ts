export { ServerToolView, type ShownServerTool } from './server-tool-view.js'
export { type SaveSetting, SettingField, type ShownSetting } from './setting-field.js'
export { type ServerToTrust, TrustBox } from './trust-box.js'
