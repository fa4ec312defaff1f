import type { StepUsage } from '../../core/model/index.js'

/** What a turn took, where the provider says: "1,200 tokens in, 80 out, $0.0041". */
export function usageLine({ input, output, cachedInput, cost }: StepUsage): string {
  const number = (value: number) => value.toLocaleString('en')
  return [
    input !== undefined && `${number(input)} tokens in${cachedInput ? ` (${number(cachedInput)} cached)` : ''}`,
    output !== undefined && `${number(output)} out`,
    cost !== undefined && `$${cost.toFixed(4)}`,
  ]
    .filter(Boolean)
    .join(', ')
}
