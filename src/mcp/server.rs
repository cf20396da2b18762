//! The server: what the protocol asks for, passed on to [`super::pool`].

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, GetPromptRequestParams, GetPromptResponse,
    GetPromptResult, Implementation, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, PromptMessage, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, ResourceContents, Role, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{NotificationContext, RequestContext, ServerInitializeError};
use rmcp::{ErrorData, RoleServer, ServerHandler, serve_server};
use serde_json::Value as Json;
use tokio::sync::Mutex;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::timeout;

use super::caller::{Caller, folder_of, given, workspaces};
use super::pool::{Outcome, Pool};
use super::wire::{Ask, Stage};
use super::{prompts, resources, tools};
use crate::repo::Repo;

/// How long the client may take to name its roots.
const ROOTS: Duration = Duration::from_secs(2);

/// How to serve.
#[derive(Clone, Debug)]
pub struct Options {
    /// Folders in the repositories to serve, before any that the client names.
    pub roots: Vec<PathBuf>,
    /// Offer the tool `cypher`.
    pub cypher: bool,
    /// This program's file, of which workers are started.
    pub program: PathBuf,
    /// How long a call waits for indexing before it is answered with how far that is.
    pub patience: Duration,
}

/// Serves on stdin and stdout until stdin closes.
///
/// # Errors
/// The runtime cannot be made, or the client's first messages are none of the protocol's.
pub fn serve(options: Options) -> std::io::Result<()> {
    small_pages();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        let pool = Pool::new(options.program.clone(), options.patience);
        pool.warm();
        let server = Server { pool, options, listed: Mutex::default() };
        match serve_server(server, rmcp::transport::io::stdio_pipes()).await {
            // Ends when stdin does; calls that are being answered have a few seconds left.
            Ok(running) => running.waiting().await.map(drop).map_err(std::io::Error::other),
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(std::io::Error::other(error.to_string())),
        }
    });
    // Drops the workers, which kills them; a read of stdin that still blocks is not waited for.
    runtime.shutdown_background();
    served
}

/// Keeps the memory of this process and of the workers that it starts at what they use: with huge pages, which some systems
/// hand out unasked, the allocator's arena of a worker takes 130 MiB for the 40 that are touched.
fn small_pages() {
    // SAFETY: a setting of this process, without pointers; a kernel that does not know it says so and nothing changes.
    #[cfg(target_os = "linux")]
    unsafe {
        libc::prctl(libc::PR_SET_THP_DISABLE, 1, 0, 0, 0);
    }
}

struct Server {
    options: Options,
    pool: Arc<Pool>,
    /// What the client answered to `roots/list`.
    listed: Mutex<Option<Vec<PathBuf>>>,
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().enable_prompts().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("portolan", env!("CARGO_PKG_VERSION")))
            .with_instructions(tools::INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::tools(self.options.cypher)))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::tools(self.options.cypher).into_iter().find(|tool| tool.name == name)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if self.get_tool(&request.name).is_none() {
            return Err(ErrorData::invalid_params(format!("there is no tool {}", request.name), None));
        }
        let arguments = Json::Object(request.arguments.unwrap_or_default());
        let asked = arguments.get("root").and_then(Json::as_str).map(str::to_owned);
        let roots = match self.roots(&context, asked.as_deref()).await {
            Ok(roots) => roots,
            Err(reason) => return Ok(failed(reason)),
        };
        let host = context.client_info().map(|client| client.name);
        let caller = Caller::of(&context.meta, host, |name| std::env::var(name).ok());
        let ask = Ask::Tool { name: request.name.into_owned(), arguments, roots, caller };
        Ok(match self.ask(&ask, &context).await {
            Ok(text) => CallToolResult::success(vec![ContentBlock::text(text)]).into(),
            Err(reason) => failed(reason),
        })
    }

    async fn list_resources(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(resources::list()))
    }

    async fn list_resource_templates(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(resources::templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let text = if request.uri == resources::LESSONS {
            let roots = self.roots(&context, None).await.map_err(|reason| ErrorData::internal_error(reason, None))?;
            self.ask(&Ask::Lessons { roots }, &context)
                .await
                .map_err(|reason| ErrorData::internal_error(reason, None))?
        } else {
            resources::read(&request.uri)
                .ok_or_else(|| ErrorData::resource_not_found(format!("nothing is at {}", request.uri), None))?
        };
        Ok(ReadResourceResult::new(vec![ResourceContents::text(text, request.uri)]).into())
    }

    async fn list_prompts(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(prompts::list()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        match prompts::text(&request.name, request.arguments.as_ref()) {
            Ok(Some(text)) => Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]).into()),
            Ok(None) => Err(ErrorData::invalid_params(format!("there is no prompt {}", request.name), None)),
            Err(reason) => Err(ErrorData::invalid_params(reason, None)),
        }
    }

    async fn on_roots_list_changed(&self, _context: NotificationContext<RoleServer>) {
        *self.listed.lock().await = None;
    }
}

impl Server {
    /// A worker's answer, or in words why there is none; progress is told meanwhile.
    async fn ask(&self, ask: &Ask, context: &RequestContext<RoleServer>) -> Result<String, String> {
        let (stages, told) = unbounded_channel();
        let cancelled = context.ct.clone();
        let cancelled = async move { cancelled.cancelled().await };
        let (outcome, ()) = tokio::join!(self.pool.ask(ask, cancelled, stages), tell(context, told));
        match outcome {
            Outcome::Answer(answer) if answer.is_error => Err(answer.text),
            Outcome::Answer(answer) => Ok(answer.text),
            Outcome::Late(stage) => {
                Ok(format!("portolan is still indexing ({stage}) and goes on; ask again in a while"))
            }
            Outcome::Cancelled => Err("cancelled".into()),
            Outcome::Died(how) => Err(format!(
                "portolan's worker process did not survive this question ({how}). Other questions still work; if they fail \
                 too, `portolan status` says more"
            )),
        }
    }

    /// The repositories that a call is about: the one it names, or all that are known. An error says what to do.
    async fn roots(&self, context: &RequestContext<RoleServer>, asked: Option<&str>) -> Result<Vec<PathBuf>, String> {
        if let Some(path) = asked.map(Path::new).filter(|path| path.is_absolute()) {
            return root_of(path).map(|root| vec![root]);
        }
        let mut roots: Vec<PathBuf> = Vec::new();
        for folder in self.folders(context).await? {
            let root = root_of(&folder)?;
            if !roots.contains(&root) {
                roots.push(root);
            }
        }
        let Some(asked) = asked.filter(|asked| !asked.trim().is_empty()) else { return Ok(roots) };
        let named = |root: &&PathBuf| root.ends_with(asked) || root.join(asked).is_dir();
        match roots.iter().find(named) {
            Some(root) => Ok(vec![root_of(&root.join(asked)).unwrap_or_else(|_| root.clone())]),
            None => {
                let known: Vec<String> = roots.iter().map(|root| root.display().to_string()).collect();
                Err(format!("no open repository is called {asked}; there are: {}", known.join(", ")))
            }
        }
    }

    /// Folders in the repositories that are open, from the surest source that has any.
    async fn folders(&self, context: &RequestContext<RoleServer>) -> Result<Vec<PathBuf>, String> {
        if !self.options.roots.is_empty() {
            return Ok(self.options.roots.clone());
        }
        let claude = std::env::var_os("CLAUDE_PROJECT_DIR").and_then(|path| given(Path::new(&path)));
        if let Some(folder) = claude.filter(|folder| folder.is_dir()) {
            return Ok(vec![folder]);
        }
        let codex = workspaces(&context.meta);
        if !codex.is_empty() {
            return Ok(codex);
        }
        let listed = self.listed(context).await;
        if !listed.is_empty() {
            return Ok(listed);
        }
        let here = std::env::current_dir().ok().filter(|folder| is_project(folder));
        here.map(|folder| vec![folder]).ok_or_else(|| {
            "no repository is known: this server runs in no git repository and the client named none. Pass `root` with the \
             absolute path of the repository's folder"
                .into()
        })
    }

    /// What the client says its roots are; nothing where it has none or the protocol has no such question.
    #[allow(deprecated)] // by the newest protocol only, whose peers are not asked
    async fn listed(&self, context: &RequestContext<RoleServer>) -> Vec<PathBuf> {
        let has_roots = context.peer.peer_info().is_some_and(|info| info.capabilities.roots.is_some());
        if !has_roots {
            return Vec::new();
        }
        let mut listed = self.listed.lock().await;
        if let Some(folders) = listed.as_ref() {
            return folders.clone();
        }
        let Ok(Ok(answer)) = timeout(ROOTS, context.peer.list_roots()).await else { return Vec::new() };
        let folders = answer.roots.iter().filter_map(|root| folder_of(&root.uri)).filter(|folder| folder.is_dir());
        listed.insert(folders.collect()).clone()
    }
}

fn root_of(folder: &Path) -> Result<PathBuf, String> {
    Repo::open(folder, true).map(|repo| repo.root().to_owned()).map_err(|error| error.to_string())
}

/// Whether the folder lies in something that is indexed without being told to.
fn is_project(folder: &Path) -> bool {
    let repo = Repo::open(folder, false);
    repo.is_ok_and(|repo| {
        repo.has_git() || repo.folder().is_dir() || repo.root().join(crate::repo::CONFIG_FILE).is_file()
    })
}

/// Passes progress on to a client that asked for it.
async fn tell(context: &RequestContext<RoleServer>, mut told: UnboundedReceiver<Stage>) {
    let token = context.meta.get_progress_token();
    let mut so_far = 0.0;
    while let Some(stage) = told.recv().await {
        let Some(token) = &token else { continue };
        so_far += 1.0;
        let param = ProgressNotificationParam::new(token.clone(), so_far).with_message(stage.to_string());
        // A client that is gone will not have the answer either.
        let _ = context.peer.notify_progress(param).await;
    }
}

fn failed(reason: String) -> CallToolResponse {
    CallToolResult::error(vec![ContentBlock::text(reason)]).into()
}
