// Starts uma-lsp-server once for each language.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let clients = [];

exports.activate = async () => {
  const command = workspace.getConfiguration("uma").get("server.path");
  clients = ["uma", "mlir"].map((language) => new LanguageClient(`uma-${language}`, `uma (${language})`,
    { command, args: [`--language=${language}`] },
    {
      documentSelector: [{ scheme: "file", language }],
      initializationOptions: { model: workspace.getConfiguration("uma").get("model") },
      synchronize: { configurationSection: "uma" },
    }));
  await Promise.all(clients.map((client) => client.start()));
};

exports.deactivate = () => Promise.all(clients.map((client) => client.stop()));
