/** Reasons why a written call cannot be read. They complete "The call is malformed: …", for the model. */
export const faults = {
  /** The reply ended inside a value, a string or the call. */
  cutValue: 'the text ends in the middle of a value',
  cutString: 'the text ends inside a string',
  cutCall: 'the text ends in the middle of it',
  notAnObject: 'its arguments are not a JSON object',
  tooLong: (limit: number) => `it is longer than ${limit} characters`,
  tooDeep: (limit: number) => `it is nested more than ${limit} deep`,
  unclosedElement: (name: string) => `its element <${name}> does not end`,
  unclosedArgument: (name = '') => `its argument ${name} does not end`,
  unclosedParameter: (name = '') => `its parameter ${name} does not end`,
  /** Something else stands where a parameter should begin; `code` is its first character. */
  noParameter: (code: number) =>
    `${JSON.stringify(String.fromCharCode(code))} was found where a parameter was expected`,
}
