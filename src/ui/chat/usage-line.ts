import type { StepUsage } from '../../core/model/index.js'
import { grouped } from '../../core/text/index.js'

/** What a turn took, where the provider says: "1,200 tokens in, 80 out, $0.0041". */
export function usageLine({ input, output, cachedInput, cost }: StepUsage): string {
  return [
    input !== undefined && `${grouped(input)} tokens in${cachedInput ? ` (${grouped(cachedInput)} cached)` : ''}`,
    output !== undefined && `${grouped(output)} out`,
    cost !== undefined && `$${cost.toFixed(4)}`,
  ]
    .filter(Boolean)
    .join(', ')
}
