/** The AI SDK's types under the names the rest of the house uses. Nobody else imports the SDK's packages for them. */
export type {
  JSONValue,
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3FinishReason,
  LanguageModelV3FunctionTool,
  LanguageModelV3GenerateResult,
  LanguageModelV3Message,
  LanguageModelV3Middleware,
  LanguageModelV3Prompt,
  LanguageModelV3StreamPart,
  LanguageModelV3StreamResult,
  LanguageModelV3ToolCall,
  LanguageModelV3ToolChoice,
  LanguageModelV3ToolResultOutput,
  LanguageModelV3ToolResultPart,
  LanguageModelV3Usage,
  SharedV3ProviderMetadata,
  SharedV3ProviderOptions,
} from '@ai-sdk/provider'
export type {
  AssistantModelMessage,
  ModelMessage,
  SystemModelMessage,
  TextStreamPart,
  ToolCallPart,
  ToolModelMessage,
  ToolResultPart,
  ToolSet,
  UserModelMessage,
} from 'ai'

/** Loaded by the first step that is taken: a search never pays for it. */
export async function loadSdk(): Promise<typeof import('./sdk-functions.js')> {
  // The SDK would print its warnings on the console, which may be somebody's protocol.
  globalThis.AI_SDK_LOG_WARNINGS = false
  return import('./sdk-functions.js')
}
