// The library's own types describe a default export that its module does not have.
declare module "temml" {
  interface Options {
    displayMode: boolean;
    throwOnError: boolean;
    maxExpand: number;
    trust(context: unknown): boolean;
  }
  const temml: { __renderToMathMLTree(formula: string, options: Options): unknown };
  // biome-ignore lint/style/noDefaultExport: it is the library's
  export default temml;
}
